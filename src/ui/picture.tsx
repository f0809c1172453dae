import { addressOf, type PictureSource, srcSetOf } from './picture-source.ts'

type Narrow = { of: PictureSource; media: string; sizes: string }

/**
 * A picture that reserves its space while it loads. AVIF with a WebP fallback, or the owner's own WebP.
 *
 * @param props.sizes the rendered width of the picture itself, wider than its frame if `object-cover` crops the sides
 * @param props.alt '' if the picture is decorative
 */
export function Picture({
  of,
  sizes,
  narrow,
  eager = false,
  alt = of.alt,
  className = 'h-full w-full object-cover',
}: {
  of: PictureSource
  sizes: string
  narrow?: Narrow | undefined
  eager?: boolean
  alt?: string
  className?: string
}) {
  return (
    <picture className="contents">
      {narrow && <Sources of={narrow.of} media={narrow.media} sizes={narrow.sizes} />}
      <Sources of={of} sizes={sizes} />
      <img
        src={addressOf(of)}
        width={of.width}
        height={of.height}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        className={className}
        style={{
          background: eager && of.blur ? `${of.colour} url(data:image/webp;base64,${of.blur}) center/cover` : of.colour,
        }}
        // The blur is only in server-rendered HTML.
        suppressHydrationWarning
      />
    </picture>
  )
}

function Sources({ of, media, sizes }: { of: PictureSource; media?: string; sizes: string }) {
  // Hidden, because a `<source>` would take a cell of a grid.
  const size = { className: 'hidden', width: of.width, height: of.height, media, sizes }
  return (
    <>
      {!of.isOwn && <source type="image/avif" srcSet={srcSetOf(of, 'avif')} {...size} />}
      <source type="image/webp" srcSet={srcSetOf(of, 'webp')} {...size} />
    </>
  )
}
