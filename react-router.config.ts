import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: true,
  // The site is small: every page knows all routes, and following a link asks nobody first.
  routeDiscovery: { mode: 'initial' },
  splitRouteModules: false,
} satisfies Config
