/** One block of commands, and the heading it stands under. */
export type Block = { heading: string; commands: string }

/** The commands of a page in Markdown, in their order: every block that is marked as `sh`. */
export function blocksOf(markdown: string): Block[] {
  return markdown.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n')).trim()
    return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => ({ heading, commands }))
  })
}
