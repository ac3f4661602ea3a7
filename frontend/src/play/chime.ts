/** A soft tone when it becomes the player's turn. */
const NOTES = [523.25, 783.99]; // a fifth, rising
const STEP_S = 0.16;
const FADE_S = 0.9;
const LOUDNESS = 0.08;

let context: AudioContext | null = null;

export function chime(): void {
  context ??= new AudioContext();
  void context.resume(); // until the first click browsers keep it silent
  for (const [at, frequency] of NOTES.entries()) {
    const start = context.currentTime + at * STEP_S;
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(0, start);
    loudness.gain.linearRampToValueAtTime(LOUDNESS, start + 0.03);
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + FADE_S);
    const tone = new OscillatorNode(context, { type: 'sine', frequency });
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + FADE_S);
  }
}
