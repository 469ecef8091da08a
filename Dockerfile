# SPDX-License-Identifier: LGPL-2.1-only
# Strata on Debian 13, for systems that are not Debian:
#
#   docker build -t strata .
#   docker run --rm -v "$PWD:$PWD" -w "$PWD" strata quickstart          # results are in strata-out/
#   docker run --rm -v "$PWD:$PWD" -w "$PWD" --entrypoint smpicc strata -o halo halo.c
FROM debian:trixie-slim
COPY . /opt/strata
# The first command installs the packages and builds; the second builds the model checker's program.
RUN /opt/strata/strata machines >/dev/null \
    && /opt/strata/strata check --list >/dev/null \
    && rm -rf /var/lib/apt/lists/* /root/.cache/strata
ENTRYPOINT ["/opt/strata/strata"]
