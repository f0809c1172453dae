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
