FROM node:24-slim AS build
WORKDIR /app
# No package runs a script of its own; `prepare.mjs` writes the database client from the schema.
COPY package.json package-lock.json .npmrc prisma.config.ts ./
COPY scripts ./scripts
COPY prisma ./prisma
RUN npm ci --ignore-scripts && node scripts/prepare.mjs
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production ASSENTRY_HOST=0.0.0.0 ASSENTRY_DATA_DIR=/var/lib/assentry
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/dist ./dist
# Used only without DATABASE_URL, by the embedded database.
RUN install -d -o node -g node -m 0700 /var/lib/assentry
USER node
EXPOSE 4700
CMD ["node", "dist/cli/main.js", "serve"]
