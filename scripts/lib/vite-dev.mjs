// Run by scripts/dev.mjs on the project's Node: React Router's Vite server in front, the API behind it.
// `react-router dev` has no option for a proxy, so this is its few lines with one more setting.
import { createServer } from 'vite'

const { FRONT_PORT, FRONT_HOST, API_ORIGIN } = process.env

const server = await createServer({
  clearScreen: false,
  server: {
    host: FRONT_HOST,
    port: Number(FRONT_PORT),
    strictPort: true,
    // The Host header stays the front's: the API compares it with Origin before it believes a write.
    proxy: { '^/(api|dev|sandbox)(/|\\?|$)': { target: API_ORIGIN, changeOrigin: false, xfwd: true } },
  },
})
await server.listen()

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close().then(() => process.exit(0)))
