import { expect, test } from 'vitest'
import { FirstStyles } from './first-styles.ts'

const SHEET = `@layer properties{@supports (old){*{--tw-x:0}}}@font-face{font-family:F;src:url(/f.woff2);unicode-range:U+20}@font-face{font-family:F;src:url(/whole.woff2)}@font-face{font-family:G;src:local(Arial)}/*! a licence */@layer base{html{line-height:1.5;line-height:1.5}dialog{margin:auto}input{margin:0}::placeholder{opacity:1}}@layer utilities{.mt-4{margin-top:1rem}.p-9{padding:9rem}.sm\\:px-\\[clamp\\(1px\\,2vw\\,3px\\)\\]{padding:0}.\\[\\&\\>li\\]\\:flex>li{display:flex}.text-ink{color:#222a;translate:var(--tw-x)}@supports (color:color-mix(in lab,red,red)){.text-ink{color:color-mix(in oklab,#222 66%,transparent)}}.btn:focus,.btn:hover{color:red}@media (hover:hover){.group:hover .group-hover\\:scale-\\[1\\.02\\]{scale:1.02}}@media (width>=40rem){.lg\\:hidden{display:none}.lg\\:grid{display:grid}}[hidden]{display:none}main:has(>.room)+p{margin:0}main:has(.mt-4){margin:0}}@property --tw-x{syntax:"*";inherits:false;initial-value:0}`
const page = (body: string) =>
  `<html><head><style id="theme">${SHEET}</style></head><body>${body}<script>"<p class='p-9'>"</script></body></html>`
const styleOf = (html: string) => /<style id="theme">(.*)<\/style>/.exec(html)?.[1]

test('leaves the rules of what the markup uses, fonts included, and no others; the markup stays', async () => {
  const body =
    '<ul class="mt-4 sm:px-[clamp(1px,2vw,3px)] [&amp;&gt;li]:flex group text-ink btn"><li class="lg:grid group-hover:scale-[1.02]">$& and $1</li></ul>'
  const left = await new FirstStyles().leaveUsed(page(body))

  expect(left.replace(/<style.*<\/style>/, '')).toBe(page(body).replace(/<style.*<\/style>/, ''))
  const style = styleOf(left)
  for (const rule of ['/f.woff2', 'local(Arial)', 'html{line-height:1.5}', '.mt-4{', '2vw', '>li{', '.lg\\:grid{'])
    expect(style).toContain(rule)
  for (const rule of ['dialog', '.p-9', '.lg\\:hidden', '[hidden]']) expect(style).not.toContain(rule)
})

test('leaves out what the first look can do without', async () => {
  const style = styleOf(
    await new FirstStyles().leaveUsed(page('<p class="group text-ink btn group-hover:scale-[1.02]">')),
  )
  expect(style).toContain('@layer properties{*{--tw-x:0}}')
  expect(style).toContain('.btn:focus{')
  expect(style).toContain('.text-ink{color:#222a;')
  for (const rule of ['licence', '@property', 'whole.woff2', 'color-mix', ':hover', '@media (hover', '::placeholder'])
    expect(style).not.toContain(rule)
  expect(styleOf(await new FirstStyles().leaveUsed(page('<input>')))).toContain('::placeholder')
})

test('leaves out rules of what is in something, where nothing of it is on the page', async () => {
  const style = styleOf(await new FirstStyles().leaveUsed(page('<main><p class="mt-4"></p></main><p>')))
  expect(style).toContain('main:has(.mt-4)')
  expect(style).not.toContain('.room')
})

test('keeps rules for a document that its own script marks as signed in', async () => {
  const sheet = '.signed-in .if-member{display:block}.signed-in .absent{display:block}'
  const html = `<style id="theme">${sheet}</style><p class="if-member">`
  expect(styleOf(await new FirstStyles().leaveUsed(html))).toBe('.signed-in .if-member{display:block}')
})

test('each page gets its own; one without a style sheet stays as it is', async () => {
  const styles = new FirstStyles()
  expect(styleOf(await styles.leaveUsed(page('<p class="p-9">'))))?.toContain('.p-9')
  expect(styleOf(await styles.leaveUsed(page('<p hidden="">')))).toContain('[hidden]')
  expect(styleOf(await styles.leaveUsed(page('<p class="p-9">')))).not.toContain('[hidden]')
  expect(await styles.leaveUsed('<html><p class="p-9"></html>')).toBe('<html><p class="p-9"></html>')
})
