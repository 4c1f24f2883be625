# Packages apart from sources, so that a change of a source does not install them again.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings Node, so the one that comes as a package may go, and TypeScript, which only types ask for.
RUN npm ci --omit=dev --ignore-scripts && cd node_modules && rm -rf node-linux-* node-bin-* node-darwin-* node-win-* .bin/node typescript .bin/ts*

# The web page. Node runs its own sources without a build, but browsers do not.
FROM node:24-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY console console
COPY contracts contracts
COPY scripts scripts
COPY sdk sdk
RUN node scripts/build-console.ts

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
COPY --from=console /app/console/dist console/dist
# All else belongs to root and is read: it can run with a read-only root, a volume at /data and a tmpfs at /tmp. So the command
# line is `weft` here: npx would write.
RUN install -d -m 700 -o node -g node /data && ln -s /app/cli/weft.js /usr/local/bin/weft
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# A node without a gateway has no port to ask; its compose file says so.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--disable-warning=ExperimentalWarning", "node_modules/moleculer/bin/moleculer-runner.js", "-c", "moleculer.config.ts", "--mask", "**/*.service.ts", "services"]
