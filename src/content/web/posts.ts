import articles from 'virtual:articles'
import { studio } from '#studio.ts'
import type { PictureSource } from '#ui/picture-source.ts'
import { blogPictures } from './blog-pictures.ts'

export type Post = {
  slug: string
  title: string
  /** 50 to 160 characters. */
  excerpt: string
  /** `YYYY-MM-DD` */
  date: string
  /** Minutes. */
  readTime: number
  words: number
  author: string
  /** 4:5 in lists, 4:3 above the article. */
  image: PictureSource
  wideImage: PictureSource
}

/** The articles, newest first: one for each file in `content/articles`. */
export const posts: readonly Post[] = articles.map(({ minutes, picture, ...article }) => ({
  ...article,
  readTime: minutes,
  author: studio.instructor.name,
  image: blogPictures[picture],
  wideImage: blogPictures[`${picture}Wide`],
}))

/** The article that stands at a path, if there is one. While pages are written, their paths end in a slash. */
export function postAt(pathname: string): Post | undefined {
  return posts.find(({ slug }) => pathname.replace(/\/$/, '') === `/blog/${slug}`)
}

/** What to read after an article: the next older one, and after the oldest the newest. */
export function postAfter(post: Post): Post | undefined {
  const next = posts[(posts.indexOf(post) + 1) % posts.length]
  return next === post ? undefined : next
}
