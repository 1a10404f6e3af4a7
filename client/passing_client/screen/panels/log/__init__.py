"""What has happened in this round, a few words each."""
