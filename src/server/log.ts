import pino, { type DestinationStream, type Logger } from 'pino'
import { loggableError } from './http/errors.ts'

/**
 * The application's log: one JSON line an event. It never holds a query string (they carry tokens), a header,
 * a body, or the values a database error quotes.
 *
 * @param level `info` logs every request; the demo keeps to `warn`, so that its terminal stays readable
 */
export function studioLog(level: string, destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    serializers: {
      err: loggableError,
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
