"""The Passing Game's protocol: messages, codec, sessions and views, without input or output."""
