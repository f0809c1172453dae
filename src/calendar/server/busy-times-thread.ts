import { parentPort, workerData } from 'node:worker_threads'
import { busyTimesIn } from './busy-times.ts'

/** Runs in its own thread, which is ended when it takes too long or too much memory. */
parentPort?.postMessage(busyTimesIn(workerData.text, workerData.days))
