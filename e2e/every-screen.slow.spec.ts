import { testWalk } from './accessibility.ts'
import { WALKS } from './scenes/all-walks.ts'
import { test } from './site.ts'

for (const walk of WALKS.filter((walk) => walk.some(({ isScreenshotOnly }) => !isScreenshotOnly))) testWalk(test, walk)
