// npm run dev: as npm start, with hot reload.
//
// Vite listens on PORT and proxies /api, /sandbox and /dev/mailbox to the server, which listens on a free port and
// restarts when one of its files changes.
import { createServer } from 'node:net'
import { ensureInstalled } from './lib/install.mjs'
import { start } from './lib/processes.mjs'
import { inProject, print, script } from './lib/project.mjs'
import { environment, STOP_WITH_PARENT } from './lib/runtime.mjs'

await script(async () => {
  const node = await ensureInstalled()
  const frontPort = process.env.PORT ?? '3000'
  const frontHost = process.env.HOST ?? '127.0.0.1'
  const address = process.env.APP_URL ?? `http://localhost:${frontPort}`
  const apiPort = await freePort()

  print('Starting the server and Vite. Both reload when you change a file.')
  const server = start(node, ['--watch', '--watch-preserve-output', ...STOP_WITH_PARENT, 'src/app/main.ts'], {
    env: environment(node, { NODE_ENV: 'development', PORT: apiPort, HOST: '127.0.0.1', APP_URL: address }),
    server: true,
  })
  const reactRouter = inProject('node_modules/@react-router/dev/bin.cjs')
  const listen = ['--host', frontHost, '--port', frontPort, '--strictPort']
  const pages = start(node, ['--conditions=development', ...STOP_WITH_PARENT, reactRouter, 'dev', ...listen], {
    env: environment(node, { NODE_ENV: 'development', API_ORIGIN: `http://127.0.0.1:${apiPort}` }),
    server: true,
  })
  print(`Open ${address} (the server itself is on port ${apiPort}). Ctrl-C stops both.`)

  const exitCode = await Promise.race([server.ended, pages.ended])
  server.stop('SIGTERM')
  pages.stop('SIGTERM')
  await Promise.all([server.ended, pages.ended])
  return exitCode
})

/** @returns {Promise<string>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
      probe.close(() => resolve(String(port)))
    })
  })
}
