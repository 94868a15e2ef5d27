// npm's @20minutes/s3rver on a free port, with the bucket `letters`: node server.js FOLDER. Prints its port.
const S3rver = require('@20minutes/s3rver');

new S3rver({
  directory: process.argv[2],
  address: '127.0.0.1',
  port: 0,
  silent: true,
  configureBuckets: [{ name: 'letters' }],
})
  .run()
  .then(({ port }) => console.log(port));
