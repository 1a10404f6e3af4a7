"""What every test shares: how hypothesis searches."""

from hypothesis import settings

# No deadline: a shared machine may stop any example for a second.
settings.register_profile("passing", deadline=None, max_examples=50)
settings.load_profile("passing")
