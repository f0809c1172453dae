// Run by scripts/dev.mjs on the project's Node: React Router's Vite server in front, the API behind it.
// `react-router dev` has no option for a proxy, so this is its few lines with one more setting.
import { createServer } from 'vite'

const { FRONT_PORT, FRONT_HOST, API_ORIGIN } = process.env

// The Host header stays the front's: the API compares it with Origin before it believes a write. The first keys are
// those of vite.config.ts, whose short form would change it.
const api = { target: API_ORIGIN, changeOrigin: false }

const server = await createServer({
  clearScreen: false,
  server: {
    host: FRONT_HOST,
    port: Number(FRONT_PORT),
    strictPort: true,
    proxy: { '/api': api, '/sandbox': api, '/dev/mailbox': api },
  },
})
await server.listen()

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close().then(() => process.exit(0)))
