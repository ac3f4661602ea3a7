# The page
FROM node:22.17.1-bookworm-slim AS page
WORKDIR /page
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci
COPY frontend ./
RUN npm run build

# The game
FROM python:3.11.13-slim-bookworm
ENV PATH=/opt/stem-branch/bin:$PATH \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    KERNEL_CACHE_DIR=/var/cache/stem-branch
WORKDIR /app
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin game \
    && install -d -o game /var/cache/stem-branch \
    && python -m venv /opt/stem-branch
COPY requirements.txt requirements-build.txt ./
RUN pip install --require-hashes --no-deps -r requirements.txt -r requirements-build.txt
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY ai ai
COPY worker worker
COPY api api
COPY --from=page /page/dist frontend/dist
RUN pip install --no-deps --no-build-isolation -e .
USER game
# Compiled here, so that no container waits for it; another kind of processor compiles anew at its first start.
RUN python -c "import ai; ai.warm_up()"
ENV HOST=0.0.0.0 PORT=8000
EXPOSE 8000
CMD ["stem-branch", "api"]
