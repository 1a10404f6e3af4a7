# One image for every role: `passing serve`, `passing bot run`, `passing play` and all the others.

# What is installed is built where it will lie, so that the folder can be copied as it is.
FROM python:3.11-slim AS build
COPY pyproject.toml README.md LICENSE /source/
COPY protocol /source/protocol
COPY server /source/server
COPY client /source/client
COPY bots /source/bots
# Who reaches the package index in a way of their own gives it to this step alone:
# `--secret id=pip.conf,src=FILE`, and `--secret id=ca.pem,src=FILE` for its authority.
RUN --mount=type=secret,id=pip.conf,target=/etc/pip.conf \
    --mount=type=secret,id=ca.pem,target=/etc/ca.pem \
    python3 -m venv /opt/passing \
    && /opt/passing/bin/pip install --no-cache-dir --disable-pip-version-check /source \
    && /opt/passing/bin/pip uninstall --yes --quiet setuptools pip

FROM python:3.11-slim
LABEL org.opencontainers.image.title="The Passing Game" \
      org.opencontainers.image.description="Dominoes for people and engines at one table" \
      org.opencontainers.image.licenses="MIT"
RUN groupadd --gid 28066 passing \
    && useradd --uid 28066 --gid passing --home-dir /state --no-create-home \
       --shell /usr/sbin/nologin passing \
    && install --directory --owner=passing --group=passing --mode=0700 /state
COPY --from=build /opt/passing /opt/passing
ENV PATH=/opt/passing/bin:$PATH
# A number, so that it can be seen from outside that this is not root.
USER 28066:28066
VOLUME /state
EXPOSE 28066/tcp 28066/udp
ENTRYPOINT ["passing"]
CMD ["--help"]
