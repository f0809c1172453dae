import pino, { type DestinationStream, type Logger } from 'pino'
import { loggableError } from '#platform/http/errors.ts'

/** Bytes of log that may wait to be written. */
const MOST_WAITING = 1_000_000

/**
 * The application's log: one JSON line an event. It never holds a query string (they carry tokens), the secret in a
 * calendar's address, a header, a body, or the values a database error quotes.
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
        path: pathOf(request.url),
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  }
  return pino(options, destination ?? patientOutput())
}

/**
 * The standard output. What it does not take, because the disk that it goes to is full, waits for the next line and is
 * dropped beyond a megabyte: pino's own would end the process, or rather hang in trying to say its last.
 */
function patientOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING })
  output.on('error', () => {})
  return output
}

function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(/^(\/api\/calendar\/).*/i, '$1…')
}
