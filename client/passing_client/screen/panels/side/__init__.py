"""What has happened and was said, in full sentences, on a wide screen."""
