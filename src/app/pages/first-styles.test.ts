import { expect, test } from 'vitest'
import { FirstStyles } from './first-styles.ts'

const SHEET = `@font-face{font-family:F;src:url(/f.woff2)}@layer base{html{line-height:1.5}dialog{margin:auto}}@layer utilities{.mt-4{margin-top:1rem}.p-9{padding:9rem}.sm\\:px-\\[clamp\\(1px\\,2vw\\,3px\\)\\]{padding:0}.\\[\\&\\>li\\]\\:flex>li{display:flex}.group:hover .group-hover\\:scale-\\[1\\.02\\]{scale:1.02}@media (width>=40rem){.lg\\:hidden{display:none}.lg\\:grid{display:grid}}[hidden]{display:none}}`
const page = (body: string) =>
  `<html><head><style id="theme">${SHEET}</style></head><body>${body}<script>"<p class='p-9'>"</script></body></html>`
const styleOf = (html: string) => /<style id="theme">(.*)<\/style>/.exec(html)?.[1]

test('leaves the rules of what the markup uses, fonts included, and no others; the markup stays', async () => {
  const body =
    '<ul class="mt-4 sm:px-[clamp(1px,2vw,3px)] [&amp;&gt;li]:flex group"><li class="lg:grid group-hover:scale-[1.02]">$& and $1</li></ul>'
  const left = await new FirstStyles().leaveUsed(page(body))

  expect(left.replace(/<style.*<\/style>/, '')).toBe(page(body).replace(/<style.*<\/style>/, ''))
  const style = styleOf(left)
  for (const rule of ['@font-face', 'html{', '.mt-4{', '2vw', '>li{', 'scale:1.02', '.lg\\:grid{'])
    expect(style).toContain(rule)
  for (const rule of ['dialog', '.p-9', '.lg\\:hidden', '[hidden]']) expect(style).not.toContain(rule)
})

test('each page gets its own; one without a style sheet stays as it is', async () => {
  const styles = new FirstStyles()
  expect(styleOf(await styles.leaveUsed(page('<p class="p-9">'))))?.toContain('.p-9')
  expect(styleOf(await styles.leaveUsed(page('<p hidden="">')))).toContain('[hidden]')
  expect(styleOf(await styles.leaveUsed(page('<p class="p-9">')))).not.toContain('[hidden]')
  expect(await styles.leaveUsed('<html><p class="p-9"></html>')).toBe('<html><p class="p-9"></html>')
})
