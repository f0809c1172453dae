/** Saves a fetched file, as a link with `download` would. */
export function saveFile(content: Blob, name: string): void {
  const href = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(href))
}
