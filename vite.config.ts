import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { content } from '#content/build/content-plugin.ts'
import { groups } from './scripts/lib/chunks.ts'
import { passwordDictionary } from './scripts/lib/password-dictionary.ts'

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`

export default defineConfig({
  plugins: [tailwindcss(), content(), passwordDictionary(), reactRouter()],
  build: { assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    // What the server draws pages with: everything in it, so that production installs no browser libraries.
    ssr: {
      resolve: { noExternal: process.env.NODE_ENV === 'production' ? true : undefined },
      build: { cssMinify: true },
    },
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: { groups },
            // Every page names a hundred files: a letter less of each is a hundred bytes of its 120,000.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
          },
        },
      },
    },
  },
  // Found out one page at a time, these would make the first visits of `npm run dev` reload in the middle.
  optimizeDeps: {
    // A file for each icon, as they are imported.
    exclude: ['@lucide/icons'],
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
      '@radix-ui/react-dialog',
      '@radix-ui/react-toast',
      '@stripe/react-stripe-js',
      '@stripe/stripe-js/pure',
      'recharts',
      'temporal-polyfill/global',
    ],
  },
  server: {
    watch: { ignored: ['**/build/**', '**/data/**', '**/screenshots/**'] },
    port: 5173,
    proxy: { '/api': server, '/sandbox': server, '/dev/mailbox': server },
  },
})
