import { mergeConfig } from 'vitest/config'
import usual from './vitest.config.ts'

/** `npm run test:attack`: what somebody would try who wants to get in. Slower than `npm test`, and beside it. */
const { projects, ...test } = usual.test ?? {}
export default mergeConfig({ test }, { test: { include: ['bench/attack/**/*.attack.ts'], isolate: false } })
