import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { content } from './src/content/build/content-plugin.ts'

const FRAMEWORK =
  /node_modules\/(react|react-dom|scheduler|react-router|@react-router|@tanstack|set-cookie-parser|cookie|turbo-stream)\//
/** What the header, the footer and every public page are made of. */
const SHELL =
  /src\/(root|ui\/(button|mark|spinner|picture|picture-source|store|toast|toaster)\.|accounts\/web\/(session|book-now|account-required|logout)\.|pages\/shell\/(?!not-found)|pages\/public\/parts|studio\.|foundation\/call)|lucide-react\/dist\/esm\/(createLucideIcon|Icon|context|shared|defaultAttributes|icons\/(arrow-right|calendar-days|check|heart-pulse|loader-circle|map-pin|menu|plus|shield-check|users|x)\.)/
/** What every form of text fields is made of, and the two of them that /auth begins with. */
const FORMS =
  /src\/(ui\/(field|refused-fields|plain-form|tabs)\.|accounts\/web\/(check-later|new-password-field)\.)|lucide-react\/dist\/esm\/icons\/circle-(alert|exclamation-point)\./
const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`

export default defineConfig({
  plugins: [tailwindcss(), content(), reactRouter()],
  build: { assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // One file for what every page needs: it compresses better than ten, and stays cached over releases.
            codeSplitting: {
              groups: [
                { name: 'framework', test: FRAMEWORK, priority: 2 },
                { name: 'shell', test: SHELL, priority: 1 },
                { name: 'forms', test: FORMS, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
  // Found out one page at a time, these would make the first visits of `npm run dev` reload in the middle.
  optimizeDeps: {
    include: [
      'react',
      'react-dom',
      'react-dom/client',
      'react/jsx-dev-runtime',
      'react-router',
      'react-router/dom',
      '@tanstack/react-query',
      'react-hook-form',
      '@hookform/resolvers/zod',
      'zod',
      'radix-ui',
      'lucide-react',
      '@stripe/react-stripe-js',
      '@stripe/stripe-js/pure',
      'recharts',
    ],
  },
  server: {
    watch: { ignored: ['**/build/**', '**/data/**', '**/screenshots/**'] },
    port: 5173,
    proxy: { '/api': server, '/sandbox': server, '/dev/mailbox': server },
  },
})
