"""Write all that is generated from the protocol's types: `python -m tests.support.protocol`."""

from tests.support.protocol.files import generated_files

for path, content in generated_files().items():
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
