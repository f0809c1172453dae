/** How a booking's buttons look: outlined beside one class, underlined words in a list of many, as high for a finger. */
export function actionLook(calm: boolean) {
  return calm
    ? ({
        variant: 'quiet',
        small: true,
        className: '-mx-2 px-2 underline underline-offset-4 disabled:border-transparent disabled:no-underline',
      } as const)
    : ({ variant: 'secondary', small: true } as const)
}

/** What one of these buttons means now, on a line of its own below them all; a remark about one of two names its button. */
export const remarkLook = (calm: boolean) =>
  `order-1 basis-full text-ink-mute ${calm ? 'text-right text-[0.8125rem]/[1.4] sm:text-[0.875rem]/[1.4] max-sm:pb-1' : 'text-[0.875rem]/[1.4]'}`
