import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from 'react-router'
import { Frame, type PageFrame } from './pages/shell/page-scripts.tsx'
import { visitContext } from './pages/shell/visit.ts'
import css from './ui/theme.css?inline'

/** Called by React Router when the loaders are done. The page is complete before it is returned. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, hasLateScripts, onError } = loadContext.get(visitContext)
  const render = async (frame: PageFrame, context = routerContext) => {
    const page = (
      <Frame value={frame}>
        <ServerRouter context={context} url={request.url} nonce={nonce} />
      </Frame>
    )
    const stream = await renderToReadableStream(page, { nonce, signal: request.signal, onError })
    await stream.allReady
    return stream
  }
  headers.set('content-type', 'text/html; charset=utf-8')
  const frame = { css: import.meta.env.DEV ? undefined : css, nonce }
  if (!hasLateScripts) return new Response(await render(frame), { status, headers })
  // The loaders' data is streamed in scripts, so it is in the first part.
  const late = await new Response(await render({ isScriptsOnly: true })).text()
  const page = await render({ ...frame, late }, { ...routerContext, serverHandoffStream: undefined })
  return new Response(page, { status, headers })
}

/** Called by React Router with an error from a loader or a page. */
export const handleError: HandleErrorFunction = (error, { context, request }) => {
  if (!request.signal.aborted) context.get(visitContext).onError(error)
}
