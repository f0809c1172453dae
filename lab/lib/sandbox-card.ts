/** The form with which Stripe.js confirms a payment with a card, as the sandbox reads it. */
export const cardForm = (publishableKey: string, clientSecret: string) =>
  new URLSearchParams({
    key: publishableKey,
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
  })
