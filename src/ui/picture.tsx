export type PictureSource = {
  src: string
  width: number
  height: number
  /** Narrower versions: [width in pixels, address]. */
  narrower?: readonly (readonly [number, string])[]
  alt: string
}

/** `srcset` of a picture, narrower versions included. */
export function srcSetOf(picture: PictureSource): string {
  return [...(picture.narrower ?? []), [picture.width, picture.src] as const]
    .map(([width, src]) => `${src} ${width}w`)
    .join(', ')
}

/** A picture that keeps its place while it loads. `alt` may be overridden with '' where it only decorates. */
export function Picture({
  of,
  sizes,
  eager = false,
  alt = of.alt,
  className = 'h-full w-full object-cover',
}: {
  of: PictureSource
  sizes: string
  eager?: boolean
  alt?: string
  className?: string
}) {
  return (
    <img
      src={of.src}
      srcSet={srcSetOf(of)}
      sizes={sizes}
      width={of.width}
      height={of.height}
      alt={alt}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding="async"
      className={className}
    />
  )
}
