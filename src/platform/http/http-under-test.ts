import type { FastifyInstance } from 'fastify'
import { systemClock } from '#foundation/instants.ts'
import type { Database } from '../database/database.ts'
import type { Http } from './serve.ts'

/** For endpoints that anyone may call and that need no database. */
export const httpWithoutDatabase = (app: FastifyInstance): Http => ({
  app,
  reads: new Map(),
  findCaller: async () => null,
  strict: true,
  database: {} as Database,
  clock: systemClock,
})
