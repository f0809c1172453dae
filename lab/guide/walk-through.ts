import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { withCleanUp } from '../lib/clean-up.ts'
import { startOwnPostgres } from '../lib/own-postgres.ts'
import { Debian, type Outside } from './debian.ts'
import { startCardProvider, startPost } from './outside.ts'
import { firstVisit, secondVisit } from './visit.ts'

const GUIDE = join(import.meta.dirname, '../../docs/operations/debian.md')
const SUITE = 'trixie'
const ORIGIN = 'https://studio.example'
const AUTHORITY = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'

/** Deletes everything that is not in the backup. */
const LOSS = `systemctl stop studio@3001 studio@3002
runuser --user postgres -- dropdb studio
rm -rf /var/lib/studio
runuser --user postgres -- createdb --owner=studio studio`

const print = (sentence: string) => console.log(sentence)
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(0)

/** Runs the guide from top to bottom; throws if a command fails or the site does not work. */
export async function walkThrough({ release, outside }: { release: string; outside: Outside }): Promise<void> {
  const onFinished: (() => Promise<unknown>)[] = []
  await withCleanUp(
    () => walk({ release, outside }, (close) => onFinished.unshift(close)),
    async () => {
      for (const close of onFinished) await close()
    },
  )
}

async function walk(
  { release, outside }: { release: string; outside: Outside },
  closeLater: (close: () => Promise<unknown>) => void,
): Promise<void> {
  const startedAt = performance.now()
  const debian = await Debian.make(SUITE, outside)
  closeLater(() => debian.close())
  await debian.bring(release)
  await debian.boot()
  const version = (await debian.type('cat /etc/debian_version; systemctl --version | head -1')).trim().split('\n')
  print(`Debian ${version.join(', ')}, created and booted in ${seconds(startedAt)} s.\n`)

  const post = await startPost()
  closeLater(() => post.stop())
  const provider = await startOwnPostgres()
  closeLater(() => provider.stop())
  const cards = await startCardProvider(await provider.emptyDatabase('cards'), ORIGIN)
  closeLater(() => cards.stop())
  const world = { origin: ORIGIN, post, cards, print: (sentence: string) => print(`  ${sentence}`) }

  // The settings that the guide asks to edit by hand.
  const settings = Object.entries({ SMTP_URL: post.url, ...cards.settings })
  const edit = settings.map(
    ([name, value]) =>
      `sed --in-place '/^#*${name}=/d' /etc/studio/studio.env; echo '${name}=${value}' >> /etc/studio/studio.env`,
  )
  const typed = performance.now()
  let visit: Awaited<ReturnType<typeof firstVisit>> | undefined
  for (const { heading, blocks } of sectionsOf(await readFile(GUIDE, 'utf8'))) {
    const since = performance.now()
    if (heading === 'When the machine is lost') await debian.type(LOSS)
    const watch = heading === 'A new release' ? watchFor(`${ORIGIN}/api/classes`) : undefined
    let output = ''
    for (const commands of blocks) output += await debian.type(commands, heading === 'Packages' ? outside : undefined)
    if (heading === 'Settings') await debian.type(edit.join('\n'))
    if (heading === 'HTTPS')
      tls.setDefaultCACertificates([
        await debian.type(`until [ -s ${AUTHORITY} ]; do sleep 0.1; done; cat ${AUTHORITY}`),
      ])
    if (blocks.length > 0) print(`${heading}: ${seconds(since)} s`)
    if (heading === 'The first admin') visit = await firstVisit(world, output)
    if (heading === 'When the machine is lost' && visit) await secondVisit(world, visit)
    if (watch) print(`  ${await watch.stop()}`)
  }
  const state = await debian.type(`systemctl is-active studio@3001 studio@3002 caddy postgresql
    systemd-analyze security studio@3001 --no-pager | tail -1
    echo "Caddy $(caddy version)"; /usr/lib/postgresql/*/bin/postgres --version`)
  print(`\n${state.trim()}\n\nThe guide works: ${seconds(typed)} s for its commands, ${seconds(startedAt)} s in all.`)
}

/** The sections of a Markdown page with their `sh` blocks. */
function sectionsOf(markdown: string): { heading: string; blocks: string[] }[] {
  return markdown.split(/^## /m).map((section) => ({
    heading: section.slice(0, section.indexOf('\n')).trim(),
    blocks: [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands),
  }))
}

/** Requests an address every 50 ms until stopped; anything but 200 is a fault. */
function watchFor(address: string): { stop(): Promise<string> } {
  let isOver = false
  let requests = 0
  const bad: string[] = []
  const watching = (async () => {
    for (; !isOver; requests++) {
      const status = await fetch(address).then(
        async (response) => (await response.text()) && response.status,
        (error: Error) => String(error.cause ?? error),
      )
      if (status !== 200) bad.push(String(status))
      await pause(50)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      if (bad.length > 0) throw new Error(`${bad.length} of ${requests} requests failed: ${bad.slice(0, 5)}`)
      return `${requests} requests in the meantime, none failed.`
    },
  }
}
