import { defineConfig } from 'vite';

// Builds three files with fixed names, which are committed so that building Sosie needs no Node.
export default defineConfig({
  base: './',
  build: {
    outDir: '../src/write/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      output: {
        entryFileNames: 'page.js',
        assetFileNames: 'page[extname]',
        codeSplitting: false,
      },
    },
  },
  server: { proxy: { '/v1': process.env.SOSIE_SERVER ?? 'http://127.0.0.1:7860' } },
});
