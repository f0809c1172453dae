import pino, { type DestinationStream, type Logger } from 'pino'
import { loggableError } from '#platform/http/errors.ts'

const MAX_BUFFERED_BYTES = 1_000_000

/**
 * The application's log: a JSON line for each event. It never contains a query string (they carry tokens), a calendar's
 * secret address, a header, a body, or the values that a database error quotes.
 *
 * @param level `info` logs every request; the demo uses `warn`, so that its terminal stays readable
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
  return pino(options, destination ?? lossyOutput())
}

/** Standard output. If its disk is full, at most a megabyte of lines waits; pino's default would end the process. */
function lossyOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_BUFFERED_BYTES })
  output.on('error', () => {})
  return output
}

function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(/^(\/api\/calendar\/).*/i, '$1…')
}
