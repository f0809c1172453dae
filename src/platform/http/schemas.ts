import type { FastifyInstance, FastifySerializerCompiler } from 'fastify'
import { ResponseSerializationError, validatorCompiler } from 'fastify-type-provider-zod'
import { type ZodType, z } from 'zod'

/** Lets the schemas of the contract check what is asked and what is answered. */
export function checkBySchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(writeParsed)
}

/**
 * Writes an answer as its schema says and nothing that the schema does not name. It is parsed: the library's own serializer
 * encodes, which means the same where a schema changes nothing (no reply does: every-endpoint/replies.test.ts) and takes four
 * times as long, since each check runs twice.
 *
 * @throws ResponseSerializationError where the answer is not what the schema says
 */
const writeParsed: FastifySerializerCompiler<ZodType> = ({ schema, method, url }) => {
  return (answer) => {
    const { success, data, error } = z.safeParse(schema, answer)
    if (!success) throw new ResponseSerializationError(method, url, { cause: error })
    return JSON.stringify(data)
  }
}
