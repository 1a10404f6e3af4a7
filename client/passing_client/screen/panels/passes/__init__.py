"""Who passed and who drew in this round, and at which ends."""
