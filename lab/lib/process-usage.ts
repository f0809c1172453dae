import { readFile } from 'node:fs/promises'

/** Linux counts a process's time in hundredths of a second, whatever the kernel's own clock does. */
const TICK_MS = 10

/** What a process holds in memory now, in megabytes (Linux). */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

/** The processor time that a process, with all its threads, has taken so far: milliseconds (Linux). */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name, in brackets, may hold anything; utime and stime are the 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
