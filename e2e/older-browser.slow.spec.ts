import { expect, test } from './site.ts'

test.use({ javaScriptEnabled: false })

/** A page as a browser shows it that starts no scripts; `isOld` if it does not know `color-mix` either. */
async function htmlOf(address: string, isOld: boolean): Promise<string> {
  const html = await (await fetch(address)).text()
  const condition = /@supports not \(color:\s*color-mix\([^{]*\{/
  expect(html).toMatch(condition)
  return isOld ? html.replace(condition, '@supports not (color: unknown){') : html
}

const NOTICE = 'This browser is too old to sign in, book or pay here.'
const notice = () => getComputedStyle(document.body, '::before').content

for (const path of ['/', '/booking']) {
  test(`${path} says in an older browser what that cannot do, and in others nothing`, async ({ page, site }) => {
    await page.setContent(await htmlOf(site.origin + path, true))
    expect(await page.evaluate(notice)).toContain(NOTICE)
    await page.setContent(await htmlOf(site.origin + path, false))
    expect(await page.evaluate(notice)).toBe('none')
  })
}
