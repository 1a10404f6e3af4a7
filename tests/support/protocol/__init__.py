"""What is generated from the protocol's types: schemas, vectors and parts of PROTOCOL.md."""
