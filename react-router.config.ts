import type { Config } from '@react-router/dev/config'
import { PRERENDERED } from './src/prerendered.ts'

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: false,
  prerender: [...PRERENDERED],
} satisfies Config
