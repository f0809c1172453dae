import { seenEverywhere } from './looks.ts'
import { WALKS } from './scenes/every-walk.ts'
import { test } from './site.ts'

for (const walk of WALKS.filter((walk) => walk.some(({ alike }) => !alike))) seenEverywhere(test, walk)
