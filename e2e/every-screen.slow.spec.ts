import { testWalk } from './accessibility.ts'
import { WALKS } from './scenes/all-walks.ts'
import { test } from './site.ts'

// Walks are independent, so several workers share them.
test.describe.configure({ mode: 'parallel' })

for (const walk of WALKS.filter((walk) => walk.some(({ isScreenshotOnly }) => !isScreenshotOnly))) testWalk(test, walk)
