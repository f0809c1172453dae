// Preloaded into the server: when the script that started it is killed, the server stops instead of holding its port.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref() // must not keep a finished server alive
}
