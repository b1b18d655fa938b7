/** Record what the microphone hears. Nothing leaves the page. */

const FORMATS = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];
/** Enough for speech: ten minutes are 1.8 MB. */
const BITS_PER_SECOND = 24_000;
const PIECE_MS = 1000;
const SAMPLES = 1024;
/** Speech is seldom louder, as an average of a moment. */
const LOUD = 0.25;

/**
 * @typedef {object} Recording
 * @property {() => number} level how loud it is now, from 0 to 1
 * @property {() => number} size bytes so far, to a second
 * @property {() => Promise<Blob>} finish ends it and returns the sound
 * @property {() => void} cancel ends it
 */

/**
 * Start recording, once the user allows it.
 * @returns {Promise<Recording>}
 * @throws {DOMException} whose name says why not, as of `getUserMedia`
 */
export async function record() {
  const { mediaDevices } = navigator; // none without HTTPS
  if (!mediaDevices || !globalThis.MediaRecorder) throw new DOMException("", "NotSupportedError");
  const stream = await mediaDevices.getUserMedia({ audio: true });
  try {
    return recordingOf(stream);
  } catch (error) {
    release(stream);
    throw error;
  }
}

/** @param {MediaStream} stream @returns {Recording} */
function recordingOf(stream) {
  const mimeType = FORMATS.find((each) => MediaRecorder.isTypeSupported(each));
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND });
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: SAMPLES });
  context.createMediaStreamSource(stream).connect(analyser);
  /** @type {Blob[]} */
  const pieces = [];
  let size = 0;
  recorder.addEventListener("dataavailable", ({ data }) => {
    pieces.push(data);
    size += data.size;
  });
  const ended = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  recorder.start(PIECE_MS);
  return {
    level: () => loudness(analyser),
    size: () => size,
    async finish() {
      if (recorder.state !== "inactive") recorder.stop();
      await ended;
      end();
      return new Blob(pieces, { type: recorder.mimeType.split(";")[0] });
    },
    cancel() {
      if (recorder.state !== "inactive") recorder.stop();
      end();
    },
  };

  function end() {
    release(stream);
    if (context.state !== "closed") context.close();
  }
}

/** Let the browser's sign that the microphone is on disappear. @param {MediaStream} stream */
function release(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** @param {AnalyserNode} analyser */
function loudness(analyser) {
  const samples = new Float32Array(SAMPLES);
  analyser.getFloatTimeDomainData(samples);
  const mean = samples.reduce((sum, each) => sum + each * each, 0) / SAMPLES;
  return Math.min(1, Math.sqrt(mean) / LOUD);
}
