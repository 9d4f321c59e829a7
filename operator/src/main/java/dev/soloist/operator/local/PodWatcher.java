package dev.soloist.operator.local;

/// Hears of one pod what a kubelet and a reader of its log would. Called on threads of the pod.
interface PodWatcher {

    /// Its app told about its work.
    void told(LocalPod pod, AppLine line);

    /// The process of a container has ended.
    void ended(LocalPod pod, String container);
}
