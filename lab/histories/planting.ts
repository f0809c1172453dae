import pg from 'pg'
import { vi } from 'vitest'
import { live } from '#testing/histories/history.ts'
import type { Step } from '#testing/histories/step.ts'
import type { World } from '#testing/histories/world.ts'
import type { Plant, Rewrite } from './plant.ts'

/** Lives a history while a bug is in the studio, and takes it out again. */
export async function livePlanted(world: World, plant: Plant, steps: readonly Step[]): Promise<string[]> {
  const { pool } = world.studio.server.database
  const taken = plant.rewrite ? steps.map(rewriting(plant.rewrite)) : steps
  try {
    return await live(world, taken, async () => void (await pool.query(plant.sql ?? '')))
  } finally {
    // What the bug left behind would be in the way of the constraint.
    await world.forget()
    await pool.query(`drop function if exists planted cascade; ${plant.undo ?? ''}`)
  }
}

/** The step with every statement of the program rewritten, while it is taken. */
const rewriting =
  (rewrite: Rewrite) =>
  (step: Step): Step => ({
    ...step,
    async take(world, state) {
      const { query } = pg.Client.prototype
      const spy = vi
        .spyOn(pg.Client.prototype, 'query')
        // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; the rest passes through untouched
        .mockImplementation(function (this: pg.Client, asked: any, ...rest: any[]) {
          const text: string | undefined = typeof asked === 'string' ? asked : asked.text
          // The queues bring their own driver and their own statements.
          const rewritten = text && this.pipeline ? rewrite(text) : text
          if (rewritten === text) return Reflect.apply(query, this, [asked, ...rest])
          // Under its name the connection knows the statement as it was.
          const statement = typeof asked === 'string' ? rewritten : { ...asked, text: rewritten, name: undefined }
          return Reflect.apply(query, this, [statement, ...rest])
        })
      try {
        return await step.take(world, state)
      } finally {
        spy.mockRestore()
      }
    },
  })
