import { readFile } from 'node:fs/promises'

/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10

/** Resident memory of a process in megabytes (Linux). */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

/** Processor time of a process so far, in milliseconds (Linux). */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // utime and stime are the 12th and 13th field after the name in brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
