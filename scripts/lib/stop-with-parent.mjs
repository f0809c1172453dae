// Preloaded into the server by scripts/: when the script that started it is gone without a word (SIGKILL, a closed
// terminal), the server stops as if it had been told to, instead of staying behind on its port.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref() // the wire alone must not keep a finished server alive
}
