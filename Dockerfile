# Foyer as an image. Every step is a command that the README and the tests run, too.
#   docker build -t foyer .
#   docker run -p 3000:3000 -v foyer-data:/data foyer
# Node.js 20 is the floor; build with --build-arg NODE_VERSION=24 for the current line.
ARG NODE_VERSION=20

FROM node:${NODE_VERSION}-bookworm-slim AS build
# Only where better-sqlite3 has no binary for the platform are these needed; they stay behind in this stage.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# The packages first: a change of the source does not fetch them again.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/ scripts/
COPY src/ src/
COPY web/ web/
RUN npm run build
RUN npm prune --omit=dev

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  FOYER_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules/ node_modules/
COPY --from=build /app/dist/ dist/
COPY migrations/ migrations/
# The program belongs to root; its user owns nothing but the data.
RUN install -d -o node -g node -m 0700 /data
USER node
# SQLite's home. With DATABASE_URL nothing is written here.
VOLUME /data
EXPOSE 3000
# Foyer finishes what it has begun and ends within ten seconds: give it more than that before killing it.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
